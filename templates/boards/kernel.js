// In JupyterLab: questions to the kernel, each with a promise of its answer. When an answer is late,
// `late` says so until one comes; it is taken all the same.
function kernelOf(model, late) {
  const waiting = new Map(), tell = (sentence) => { late.textContent = sentence; };
  model.on("msg:custom", ({ id, answer }) => {
    late.textContent = "";
    if (waiting.has(id)) waiting.get(id)(answer);
    waiting.delete(id);
  });
  return (question, details = {}) => new Promise((resolve) => {
    const id = newId();
    const timer = setTimeout(() => tell("The kernel has not answered. If it is at work elsewhere, wait; if it was restarted or stopped, run the cell again for a new board."), LATE);
    waiting.set(id, (answer) => { clearTimeout(timer); resolve(answer); });
    try {
      model.send({ id, question, details });
    } catch {
      tell("There is no kernel behind this board any more: run the cell again for a new one.");
    }
  });
}
