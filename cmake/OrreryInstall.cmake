# The install tree is relocatable: bin/, lib/ (shared libraries of packages, none of the driver), share/orrery/.
install(TARGETS orrery RUNTIME_DEPENDENCY_SET orrery_libraries RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
