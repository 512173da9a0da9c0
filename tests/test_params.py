"""The ready sets of parameters: every name is some notebook's, every value one that it takes."""

import pytest
import yaml

from wordgames.reports.parameters import ParameterError
from wordgames.reports.settings import (
    declared_parameters,
    notebook_paths,
    parse_parameters,
    settings_for,
)

pytestmark = pytest.mark.slow

SETS = ["quick", "default", "nyt"]


@pytest.fixture(scope="module")
def declared():
    return {path: declared_parameters(path) for path in notebook_paths()}


@pytest.mark.parametrize("name", SETS)
def test_every_notebook_takes_its_share(root, declared, name):
    file = root / "params" / f"{name}.yml"
    left = set(yaml.safe_load(file.read_text(encoding="utf-8")))
    for path in declared:
        settings = settings_for(path, [], str(file))
        parse_parameters(path, settings)
        left -= set(settings)
    assert not left, f"no notebook has {left}"


def test_the_default_set_is_what_the_notebooks_say(root, declared):
    settings = yaml.safe_load((root / "params" / "default.yml").read_text(encoding="utf-8"))
    for path, parameters in declared.items():
        for name in settings.keys() & parameters.keys():
            assert settings[name] == parameters[name].default, f"{name} of {path.name}"


def test_the_quick_set_does_less_than_the_default(root, declared):
    settings = yaml.safe_load((root / "params" / "quick.yml").read_text(encoding="utf-8"))
    less = 0
    for parameters in declared.values():
        for name in settings.keys() & parameters.keys():
            given, default = settings[name], parameters[name].default
            if name == "every":  # one word in so many
                given, default = default, given
            assert given <= default, name
            less += given < default
    assert less > 1


def test_a_misspelt_name_in_a_file_is_refused(tmp_path, declared):
    file = tmp_path / "mine.yml"
    file.write_text("topp: 3\n")
    path = next(iter(declared))
    with pytest.raises(ParameterError, match=r"no parameter 'topp': .* did you mean 'top'\?"):
        parse_parameters(path, settings_for(path, [], str(file)))
