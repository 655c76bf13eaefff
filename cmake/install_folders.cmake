# Runs before all other install rules: creates missing folders readable for all users, regardless of
# the umask. CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS does not help, because mkdir applies the
# umask to it.
set(folders ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBEXECDIR}/histolab
  ${CMAKE_INSTALL_LIBEXECDIR}/histolab/toolkit/include
  ${CMAKE_INSTALL_LIBEXECDIR}/histolab/toolkit/lib64
  ${CMAKE_INSTALL_DATADIR}/histolab ${CMAKE_INSTALL_MANDIR}/man1)
foreach(shell IN ITEMS bash-completion/completions zsh/site-functions fish/vendor_completions.d)
  list(APPEND folders ${CMAKE_INSTALL_DATADIR}/${shell})
endforeach()
install(CODE "set(folders \"${folders}\")")
install(CODE [[
  set(missing)
  foreach(folder IN LISTS folders)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
    set(folder "$ENV{DESTDIR}${folder}")
    while(NOT EXISTS "${folder}")
      list(APPEND missing "${folder}")
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
  endforeach()
  if(HISTOLAB_IS_PACKAGED) # CPack has created the top folder
    list(APPEND missing "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  endif()
  if(missing)
    file(MAKE_DIRECTORY ${missing})
    file(CHMOD ${missing} DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
      GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
]])
