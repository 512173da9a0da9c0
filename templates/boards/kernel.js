// In JupyterLab: questions to the kernel, each with a promise of its answer. `slow` is called when
// an answer is late; one that comes in the end is taken all the same.
function kernelOf(model, slow) {
  const waiting = new Map();
  model.on("msg:custom", ({ id, answer }) => {
    if (waiting.has(id)) waiting.get(id)(answer);
    waiting.delete(id);
  });
  return (question, details = {}) => new Promise((resolve) => {
    const id = newId();
    const late = setTimeout(() => slow("The kernel has not answered. If it is at work elsewhere, wait; if it was restarted or stopped, run the cell again for a new board."), 4000);
    waiting.set(id, (answer) => { clearTimeout(late); resolve(answer); });
    try {
      model.send({ id, question, details });
    } catch {
      slow("There is no kernel behind this board any more: run the cell again for a new one.");
    }
  });
}
