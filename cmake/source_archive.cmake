# cmake -DSOURCE=FOLDER -DNAME=histolab-VERSION -DINTO=FOLDER -P source_archive.cmake: INTO/NAME.tar.gz of the sources.
#
# By tar and not by CPack, whose order of files is the file system's. SOURCE_DATE_EPOCH is the time of all files, as string(TIMESTAMP) has it.
string(TIMESTAMP moment "%s" UTC)
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND
  tar --create --gzip "--file=${INTO}/${NAME}.tar.gz" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "--mtime=@${moment}"
    --exclude=./.git --exclude=./build --exclude=./work --exclude=./report.json --exclude=__pycache__ "--exclude=*~" "--transform=s,^\\.,${NAME}," -C "${SOURCE}" .)
message("${INTO}/${NAME}.tar.gz")
