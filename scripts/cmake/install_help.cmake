# The manual page and the completions of shells, which the program writes itself, go where man and the shells look.
set(made ${CMAKE_BINARY_DIR}/help)
file(MAKE_DIRECTORY ${made})
install(CODE "
  foreach(what \"man;tetrawave.1\" \"completion bash;tetrawave\" \"completion zsh;_tetrawave\" \"completion fish;tetrawave.fish\")
    list(GET what 0 words)
    list(GET what 1 file)
    separate_arguments(words)
    execute_process(COMMAND \"$<TARGET_FILE:tetrawave>\" \${words} OUTPUT_FILE \"${made}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(FILES ${made}/tetrawave.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/tetrawave DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/_tetrawave DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${made}/tetrawave.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
