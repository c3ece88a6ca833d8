# The connection of the dashboards in this folder, which libpq's variables describe (PGHOST, PGDATABASE, PGUSER, ...).

connection <- NULL

# One connection, made again after the server was away.
connect <- function() {
    answers <- function() isTRUE(nrow(suppressWarnings(DBI::dbGetQuery(connection, "SELECT 1"))) == 1)
    if (!is.null(connection) && !tryCatch(answers(), error = function(e) FALSE)) {
        try(DBI::dbDisconnect(connection), silent = TRUE)
        connection <<- NULL
    }
    if (is.null(connection))
        connection <<- DBI::dbConnect(RPostgreSQL::PostgreSQL())
    connection
}
