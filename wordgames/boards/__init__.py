"""Parts to play with: in the pages of the reports, and in JupyterLab."""
