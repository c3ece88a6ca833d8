# A dashboard of released models.  Reads the dpem.* views and nothing else, over a connection that
# libpq's variables describe (PGHOST, PGDATABASE, PGUSER, ...); see README.md.
library(shiny)
library(shinydashboard)
library(ggplot2)

REFRESH <- 1000 * as.numeric(Sys.getenv("DASHBOARD_REFRESH", "30")) # milliseconds
NOTHING <- "No model was granted to this role."
AWAY <- "The database cannot be reached."
COLOURS <- c("#0072b2", "#d55e00", "#009e73", "#c2629a", "#3f9bd8")

# ---- the database ------------------------------------------------------------

source("../connection.R", local = TRUE)

# Rows of a query, in which ?model is the name of a model.
ask <- function(sql, model = NULL) {
    con <- connect()
    if (!is.null(model))
        sql <- DBI::sqlInterpolate(DBI::ANSI(), sql, model = model)
    DBI::dbGetQuery(con, sql)
}

# Rows of dpem.models; NULL if the database cannot be reached.
models <- function() tryCatch(ask("
    SELECT model, family, dataset, components, columns, round(rows_counted)::text AS rows, mechanism, epsilon, delta::text AS delta,
        to_char(created_at, 'YYYY-MM-DD HH24:MI') AS created
    FROM dpem.models ORDER BY created_at DESC, model"), error = function(e) NULL)

# ---- pictures ----------------------------------------------------------------

# With room for half of the last number on an axis, and between those of two panels.
plain <- theme_minimal(base_size = 15) +
    theme(legend.position = "none", panel.grid.minor = element_blank(), strip.text = element_text(face = "bold"),
        plot.margin = margin(8, 36, 8, 8), panel.spacing.x = unit(2.5, "lines"))
component_colours <- scale_colour_manual(values = rep(COLOURS, 50), aesthetics = c("colour", "fill"))

# Weights with 95 % of the privacy noise in them.
shares <- function(rows, name = "component", of = "share of the rows") {
    ggplot(rows, aes(factor(component), weight, fill = factor(component))) + geom_col(width = 0.7) +
        geom_linerange(aes(ymin = weight - 1.96 * noise_stddev, ymax = weight + 1.96 * noise_stddev), linewidth = 1, na.rm = TRUE) +
        scale_y_continuous(labels = function(x) paste0(100 * x, " %")) + component_colours + plain +
        labs(x = name, y = of)
}

# A panel per column: middle, its noise (thick), and what lies around it (thin).
middles <- function(rows) {
    ggplot(rows, aes(middle, factor(component), colour = factor(component))) +
        geom_linerange(aes(xmin = middle - spread, xmax = middle + spread), linewidth = 0.8, alpha = 0.6, na.rm = TRUE) +
        geom_linerange(aes(xmin = middle - 1.96 * noise_stddev, xmax = middle + 1.96 * noise_stddev), linewidth = 3, na.rm = TRUE) +
        geom_point(size = 3) + facet_wrap(~column_name, scales = "free_x") + component_colours + plain +
        labs(x = NULL, y = "component")
}

strengths <- function(rows, name) {
    rows$column_name <- factor(rows$column_name, levels = rev(unique(rows$column_name)))
    ggplot(rows, aes(factor(head), column_name, fill = strength)) + geom_tile(colour = "white", linewidth = 1) +
        geom_text(aes(label = sprintf("%.2f", strength)), size = 5) + plain +
        scale_fill_gradient2(low = "#e8955a", high = "#5aa5d1", limits = c(-1, 1)) + labs(x = name, y = NULL)
}

effects <- function(rows) {
    ggplot(rows, aes(middle, column_name, colour = middle > 0)) + geom_vline(xintercept = 0, alpha = 0.5) +
        geom_pointrange(aes(xmin = middle - 1.96 * stddev, xmax = middle + 1.96 * stddev), size = 0.8, linewidth = 1.2) +
        scale_colour_manual(values = c("FALSE" = COLOURS[2], "TRUE" = COLOURS[1])) + plain +
        labs(x = "log-odds at the upper bound\nless those at the lower", y = NULL)
}

# A panel per topic: its most probable terms.
terms <- function(rows) {
    rows$term <- factor(paste(rows$topic, rows$term), levels = rev(paste(rows$topic, rows$term)))
    ggplot(rows, aes(weight, term, fill = factor(topic))) + geom_col(width = 0.7) + facet_wrap(~topic, scales = "free_y") +
        scale_x_continuous(labels = function(x) paste0(100 * x, " %")) + scale_y_discrete(labels = function(x) sub("^[0-9]+ ", "", x)) +
        component_colours + plain + labs(x = "probability in the topic", y = NULL)
}

# A panel per column: what each bin of a number adds, with 95 % intervals.
shapes <- function(rows) {
    ggplot(rows, aes(y = contribution)) + geom_hline(yintercept = 0, alpha = 0.5) +
        geom_rect(aes(xmin = lower, xmax = upper, ymin = ci_lower, ymax = ci_upper), fill = COLOURS[5], alpha = 0.3, na.rm = TRUE) +
        geom_segment(aes(x = lower, xend = upper, yend = contribution), colour = COLOURS[1], linewidth = 1.2) +
        facet_wrap(~column_name, scales = "free_x") + plain + labs(x = NULL, y = "contribution")
}

# The same of categories, and of what is missing.
additions <- function(rows) {
    ggplot(rows, aes(contribution, name)) + geom_vline(xintercept = 0, alpha = 0.5) +
        geom_pointrange(aes(xmin = ci_lower, xmax = ci_upper), colour = COLOURS[1], size = 0.8, linewidth = 1.2, na.rm = TRUE) +
        plain + labs(x = "contribution", y = NULL)
}

# ---- families ----------------------------------------------------------------

# What a family shows: up to two pictures, each of one query, and the query behind the table.
families <- list(
    gmm = list(
        first = list("SELECT component, weight, noise_stddev FROM dpem.gmm_components WHERE model = ?model", shares),
        second = list("SELECT component, column_name, mean AS middle, stddev AS spread, noise_stddev
            FROM dpem.gmm_means WHERE model = ?model", middles),
        table = "SELECT component, column_name, mean, stddev, noise_stddev FROM dpem.gmm_means
            WHERE model = ?model ORDER BY component, column_name"),
    kmeans = list(
        first = list("SELECT component, weight, noise_stddev FROM dpem.kmeans_clusters WHERE model = ?model", shares),
        second = list("SELECT component, column_name, center AS middle, NULL::float8 AS spread, noise_stddev
            FROM dpem.kmeans_centers WHERE model = ?model", middles),
        table = "SELECT component, column_name, center, noise_stddev FROM dpem.kmeans_centers
            WHERE model = ?model ORDER BY component, column_name"),
    fa = list(
        first = list("SELECT l.column_name, l.factor AS head, l.loading / sqrt(n.noise_variance
                + sum(l.loading ^ 2) OVER (PARTITION BY l.column_name)) AS strength
            FROM dpem.fa_loadings l JOIN dpem.fa_noise n USING (model, column_name)
                JOIN dpem.model_columns c USING (model, column_name) WHERE model = ?model ORDER BY position",
            function(rows) strengths(rows, "factor")),
        table = "SELECT factor, column_name, loading, noise_stddev FROM dpem.fa_loadings
            WHERE model = ?model ORDER BY factor, column_name"),
    pca = list(
        first = list("SELECT column_name, component AS head, direction AS strength FROM dpem.pca_directions
            JOIN dpem.model_columns USING (model, column_name) WHERE model = ?model ORDER BY position",
            function(rows) strengths(rows, "component")),
        table = "SELECT component, variance, explained_ratio, noise_stddev FROM dpem.pca_components
            WHERE model = ?model ORDER BY component"),
    logit = list(
        first = list("SELECT column_name, mean * (upper - lower) AS middle, stddev * (upper - lower) AS stddev
            FROM dpem.logit_coefficients JOIN dpem.model_columns USING (model, column_name) WHERE model = ?model", effects),
        table = "SELECT column_name, mean, stddev, exp(mean) AS odds_ratio FROM dpem.logit_coefficients
            WHERE model = ?model ORDER BY column_name"),
    gam = list(
        first = list("SELECT column_name || CASE WHEN category IS NOT NULL THEN ' = ' || category WHEN bin = 0 THEN ' is missing' ELSE '' END AS name, contribution, ci_lower, ci_upper
            FROM dpem.gam_shapes WHERE model = ?model AND lower IS NULL", additions),
        second = list("SELECT column_name, lower, upper, contribution, ci_lower, ci_upper
            FROM dpem.gam_shapes WHERE model = ?model AND lower IS NOT NULL", shapes, "What each column adds"),
        table = "SELECT column_name, lower, upper, category, contribution, noise_stddev FROM dpem.gam_shapes
            WHERE model = ?model ORDER BY position, bin"),
    lda = list(
        first = list("SELECT topic AS component, weight, NULL::float8 AS noise_stddev FROM dpem.lda_topic_weights WHERE model = ?model",
            function(rows) shares(rows, "topic", "share of the words")),
        second = list("SELECT topic, term, weight FROM dpem.lda_topics WHERE model = ?model AND rank <= 8 ORDER BY topic, rank", terms,
            "Most probable terms"),
        table = "SELECT topic, rank, term, weight FROM dpem.lda_topics WHERE model = ?model AND rank <= 8 ORDER BY topic, rank"))

heading <- function(picture) if (length(picture) > 2) picture[[3]] else "In the columns' own units"

# ---- the page ----------------------------------------------------------------

# Only lists of columns are broken into lines.  A reader who prefers the dark gets it; pictures, drawn for a light page, are inverted.
STYLE <- "
    .shiny-output-error { color: #57606a; }
    #models td { white-space: nowrap; }
    #models td:nth-child(5) { white-space: normal; }
    @media (prefers-color-scheme: dark) {
        body, .content-wrapper { background: #0d1117 !important; color: #e6edf3; }
        .box { background: #161b22; border-top-color: #30363d; color: #e6edf3; }
        .box-header { color: #e6edf3; }
        .skin-black .main-header .logo, .skin-black .main-header .logo:hover, .skin-black .main-header .navbar,
        .skin-black .main-header .navbar > .sidebar-toggle { background: #161b22; color: #e6edf3; border-color: #30363d; }
        .table > thead > tr > th, .table > tbody > tr > td { border-color: #30363d !important; }
        .selectize-input, .selectize-input.full, .selectize-dropdown { background: #161b22; color: #e6edf3; border-color: #57606a; }
        .selectize-input input { color: #e6edf3; }
        .selectize-dropdown .active { background: #30363d; color: #e6edf3; }
        .shiny-output-error { color: #9da7b3; }
        .shiny-plot-output img { filter: invert(0.91) hue-rotate(180deg); }
    }"

ui <- dashboardPage(
    title = "Private models", skin = "black",
    dashboardHeader(title = "Private models"),
    dashboardSidebar(
        sidebarMenu(
            menuItem("Models", tabName = "models", icon = icon("list")),
            menuItem("One model", tabName = "one", icon = icon("chart-bar"), selected = TRUE),
            menuItem("Spending", tabName = "spending", icon = icon("coins"))),
        selectInput("model", "Model", choices = NULL)),
    dashboardBody(
        tags$head(tags$style(HTML(STYLE))),
        fluidRow(valueBoxOutput("count"), valueBoxOutput("datasets"), valueBoxOutput("price")),
        tabItems(
            tabItem("models", box(width = 12, title = "Models you may read", tableOutput("models"))),
            tabItem("one", uiOutput("one")),
            tabItem("spending",
                box(width = 12, title = "Budgets, as far as this role may see them", tableOutput("budgets")),
                box(width = 12, title = "What was spent a day", tableOutput("spending"))))))

server <- function(input, output, session) {
    answer <- reactivePoll(REFRESH, session, checkFunc = models, valueFunc = models)
    all <- reactive({
        validate(need(!is.null(answer()), AWAY))
        answer()
    })
    # of the model that is chosen, and may still be read
    chosen <- reactive(all()[all()$model == input$model, , drop = FALSE])
    family <- reactive(if (nrow(chosen()) == 1) families[[chosen()$family]])
    rows <- function(sql) {
        # asked for before the database, so that a question that failed is asked again when they change
        force(sql)
        model <- chosen()$model
        ask(sql, model)
    }

    observe({
        names <- as.character(answer()$model)
        updateSelectInput(session, "model", choices = names,
            selected = if (isTRUE(isolate(input$model) %in% names)) isolate(input$model) else head(names, 1))
    })

    output$count <- renderValueBox(valueBox(nrow(all()), if (nrow(all()) == 1) "model you may read" else "models you may read", icon("cubes"), "blue"))
    output$datasets <- renderValueBox(valueBox(length(unique(all()$dataset)), if (length(unique(all()$dataset)) == 1) "dataset" else "datasets", icon("database"), "navy"))
    output$price <- renderValueBox(valueBox(
        if (nrow(chosen()) == 1) format(chosen()$epsilon) else "-", "epsilon that this one cost", icon("coins"), "purple"))
    output$models <- renderTable({
        validate(need(nrow(all()) > 0, NOTHING))
        all()
    }, digits = 3, na = "")

    output$one <- renderUI({
        validate(need(nrow(chosen()) == 1, NOTHING))
        validate(need(!is.null(family()), "This family of models has no picture here; its views have all there is."))
        tagList(
            box(width = if (is.null(family()$second)) 12 else 4, title = chosen()$model, plotOutput("first")),
            if (!is.null(family()$second)) box(width = 8, title = heading(family()$second), plotOutput("second")),
            box(width = 12, title = "Numbers", tableOutput("numbers")))
    })
    draw <- function(which) renderPlot({
        picture <- req(family())[[which]]
        req(picture)[[2]](rows(picture[[1]]))
    })
    output$first <- draw("first")
    output$second <- draw("second")
    output$numbers <- renderTable(rows(req(family())$table), digits = 4, na = "")

    output$budgets <- renderTable({
        all()
        budgets <- ask("SELECT dataset, coalesce(role, 'all roles') AS role, epsilon AS granted, spent_epsilon,
            remaining_epsilon, spent_percent, charges FROM dpem.budgets ORDER BY 1, 2")
        validate(need(nrow(budgets) > 0, "This role has no budget."))
        budgets
    })
    output$spending <- renderTable({
        all()
        spending <- ask("SELECT dataset, role, function, to_char(day, 'YYYY-MM-DD') AS day, charges, spent_percent
            FROM dpem.spending ORDER BY day DESC, 1, 2, 3")
        validate(need(nrow(spending) > 0, "This role has made no charge."))
        spending
    })
}

shinyApp(ui, server)
