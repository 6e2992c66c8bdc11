# Who makes the Debian packages.
cmake_policy(VERSION 3.25)

# orrery_first(VARIABLE WORD...): the first word that is not empty, else nothing.
function(orrery_first variable)
  list(FILTER ARGN EXCLUDE REGEX "^$")
  set(first "")
  if(ARGN)
    list(GET ARGN 0 first)
  endif()
  set(${variable} "${first}" PARENT_SCOPE)
endfunction()

# orrery_git_says(VARIABLE KEY): a value of git's configuration, else nothing.
function(orrery_git_says variable key)
  set(value "")
  find_program(GIT_PROGRAM git)
  if(GIT_PROGRAM)
    execute_process(COMMAND "${GIT_PROGRAM}" config "${key}" WORKING_DIRECTORY "${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
      OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# orrery_maintainer(VARIABLE): who makes the package, as Debian's tools find it: DEBFULLNAME and DEBEMAIL, else EMAIL,
# git's user, this user at the machine's mail name. A package needs an address: without any it is one that reaches nobody.
function(orrery_maintainer variable)
  orrery_git_says(git_name user.name)
  orrery_git_says(git_mail user.email)
  set(local_mail "")
  if(EXISTS /etc/mailname AND NOT "$ENV{USER}" STREQUAL "")
    file(STRINGS /etc/mailname mail_name LIMIT_COUNT 1)
    set(local_mail "$ENV{USER}@${mail_name}")
  endif()
  orrery_first(name "$ENV{DEBFULLNAME}" "${git_name}" "Orrery contributors")
  # RFC 2606 keeps "invalid" free for this.
  orrery_first(mail "$ENV{DEBEMAIL}" "$ENV{EMAIL}" "${git_mail}" "${local_mail}" "nobody@orrery.invalid")
  set(${variable} "${name} <${mail}>" PARENT_SCOPE)
endfunction()
