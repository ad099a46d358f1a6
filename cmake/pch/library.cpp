// Carries the precompiled header of the libraries; a library needs a source.
int descry_pch_library_anchor;
