"""Word vectors, with no game in them: vocabulary, embedding, store, files, sources."""
