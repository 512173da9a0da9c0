"""What the boards share: a widget whose script asks the kernel questions."""

import anywidget

from wordgames._playable import style


class Board(anywidget.AnyWidget):
    """A board in JupyterLab; its script is the one of the pages, or asks the kernel.

    A question of the script names a method, ``answer_<question>``; what that returns is sent back.
    A ValueError or KeyError becomes a sentence beside the field.
    """

    _css = style()

    def __init__(self, **traits):
        super().__init__(**traits)
        self.on_msg(self._receive)

    def _receive(self, _, content, buffers) -> None:
        try:
            answer = getattr(self, f"answer_{content['question']}")(**content["details"]) or {}
        except (KeyError, ValueError) as error:
            text = str(error.args[0])
            answer = {"problem": f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.?' else '.'}"}
        self.send({"id": content["id"], "answer": answer})

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        if bundle:  # without the front end, say what this is
            bundle[0]["text/plain"] = f"{type(self).__name__} (to play, open it in JupyterLab)"
        return bundle
