tw_folder(host DEPENDS tw_march OpenMP::OpenMP_CXX)
