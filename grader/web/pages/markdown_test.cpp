#include "grader/web/pages/markdown.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "grader/files/read_file.h"
#include "grader/lessons/hints.h"
#include "grader/lessons/markdown.h"
#include "grader/web/pages/pages.h"

using namespace histolab::web;
namespace fs = std::filesystem;

namespace {

std::string body_of(std::string_view text, const MarkdownOptions& options = {}) {
  return render_markdown(text, options).body.markup();
}
MarkdownOptions linked(const std::string& page) { return {.link = links_of_page(page)}; }

bool has(const std::string& page, std::string_view part) { return page.find(part) != page.npos; }

std::string read(const fs::path& path) {
  const auto text = histolab::grader::read_text_file(path.string(), "page");
  REQUIRE_MESSAGE(text, path.string());
  return *text;
}

// The paths of lessons, hints and pages of docs/, relative to the kit.
std::vector<std::string> pages_of_kit() {
  std::vector<std::string> pages;
  const fs::path kit{HISTOLAB_SOURCE_DIR};
  for (const auto& lab : fs::directory_iterator{kit / "labs"})
    for (const char* file : {"lesson.md", "hints.md"})
      if (fs::exists(lab.path() / file))
        pages.push_back(fs::relative(lab.path() / file, kit).string());
  for (const auto& file : fs::recursive_directory_iterator{kit / "docs"})
    if (file.path().extension() == ".md") pages.push_back(fs::relative(file.path(), kit).string());
  std::ranges::sort(pages);
  REQUIRE(pages.size() > 40);
  return pages;
}

}  // namespace

TEST_CASE("paragraphs, emphasis, code and lists become their elements") {
  CHECK(body_of("A *b* **c** `d`\nnext line") ==
        "<p>A <em>b</em> <strong>c</strong> <code>d</code>\nnext line</p>\n");
  CHECK(body_of("- a\n- b") == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
  CHECK(body_of("1. a\n2. b") == "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n");
  CHECK(body_of("3. a") == "<ol start=\"3\">\n<li>a</li>\n</ol>\n");
  CHECK(body_of("> a") == "<blockquote><p>a</p>\n</blockquote>\n");
  CHECK(body_of("a\n\n---\n\nb  \nc") == "<p>a</p>\n<hr>\n<p>b<br>\nc</p>\n");
}

TEST_CASE("a block of code has its language as a class, and its text unchanged") {
  CHECK(body_of("```cuda\nif (a < b && c) d[i];\n```") ==
        "<pre><code class=\"language-cuda\">if (a &lt; b &amp;&amp; c) d[i];\n</code></pre>\n");
  CHECK(body_of("```cuda histogram_bytes\nx\n```") ==
        "<pre><code class=\"language-cuda\">x\n</code></pre>\n");
  CHECK(body_of("```\"><b>\nx\n```") == "<pre><code class=\"language-b\">x\n</code></pre>\n");
  CHECK(body_of("a\n\n    one\n      two") == "<p>a</p>\n<pre><code>one\n  two\n</code></pre>\n");
}

TEST_CASE("a table has headers for its columns, classes for alignment, and a box that scrolls") {
  const std::string table = body_of("| a | b | c |\n|---|--:|:-:|\n| 1 | 2 | `x|y` |\n");
  CHECK(has(table, "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">a</th>"));
  CHECK(has(table, "<th scope=\"col\" class=\"right\">b</th>"));
  CHECK(has(table, "<td>1</td><td class=\"right\">2</td><td class=\"center\">"));
  CHECK(has(table, "</tbody>\n</table></div>\n"));
  CHECK_FALSE(has(table, "align="));
}

TEST_CASE("the first heading is the title; the others have GitHub's anchors") {
  const RenderedMarkdown page = render_markdown(
      "# Lab 02: `atomicAdd` & co\n\n## The idea\n\ntext\n\n## The idea\n\n### What's `x_y`?\n",
      {});
  CHECK(page.title == "Lab 02: atomicAdd & co");
  CHECK(page.body.markup() ==
        "<h2 id=\"the-idea\">The idea</h2>\n<p>text</p>\n<h2 id=\"the-idea-1\">The idea</h2>\n"
        "<h3 id=\"whats-x_y\">What&#39;s <code>x_y</code>?</h3>\n");
  CHECK(page.sections == std::vector<Section>{{2, "The idea", "the-idea"},
                                              {2, "The idea", "the-idea-1"},
                                              {3, "What's x_y?", "whats-x_y"}});
}

TEST_CASE("a text before the first heading means that the page has no title") {
  const RenderedMarkdown page = render_markdown("text\n\n# A\n", {});
  CHECK(page.title.empty());
  CHECK(page.body.markup() == "<p>text</p>\n<h1 id=\"a\">A</h1>\n");
}

TEST_CASE("headings can begin at a lower level, and keep off ids that are taken") {
  CHECK(body_of("text\n\n# A\n\n##### B", {.link = {}, .first_level = 3, .taken_ids = {}}) ==
        "<p>text</p>\n<h3 id=\"a\">A</h3>\n<h6 id=\"b\">B</h6>\n");
  CHECK(body_of("## Race", {.link = {}, .first_level = 1, .taken_ids = {"race", "live"}}) ==
        "<h2 id=\"race-1\">Race</h2>\n");
  CHECK(body_of("## ?!") == "<h2>?!</h2>\n");
}

TEST_CASE("HTML in Markdown is text, and comments are dropped outside of code") {
  CHECK(body_of("a <b>c</b> <script>x</script>") ==
        "<p>a &lt;b&gt;c&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;</p>\n");
  CHECK(body_of("<div onclick=x>\n") == "<p>&lt;div onclick=x&gt;</p>\n");
  CHECK(body_of("a\n\n<!-- made by\nhand -->\n\nb") == "<p>a</p>\n<p>b</p>\n");
  CHECK(has(body_of("```\n<!-- kept -->\n```"), "&lt;!-- kept --&gt;"));
  CHECK(body_of("a &amp; b &lt; &nbsp;&copy;") == "<p>a &amp; b &lt; \xC2\xA0&amp;copy;</p>\n");
}

TEST_CASE("a picture is shown as its description") {
  CHECK(body_of("![the *histogram* of `x`](javascript:x)") ==
        "<p><span class=\"picture\">[picture: the histogram of x]</span></p>\n");
}

TEST_CASE("links between pages of the kit lead to pages of the server") {
  const auto link = links_of_page("labs/02-atomic-add/lesson.md");
  CHECK(link("../01-race/lesson.md") == "/lab/01-race");
  CHECK(link("../01-race/lesson.md#the-idea") == "/lab/01-race#the-idea");
  CHECK(link("../01-race/hints.md") == "/lab/01-race#hints");
  CHECK(link("lesson.md#the-picture") == "/lab/02-atomic-add#the-picture");
  CHECK(link("#the-picture") == "#the-picture");
  CHECK(link("../../docs/model.md#a-b") == "/docs/model.md#a-b");
  CHECK(link("../../docs/glossary.md#the-machine") == "/glossary#the-machine");
  CHECK(link("../../docs/measurements/README.md") == "/docs/measurements/README.md");
  CHECK(link("https://example.org/a?b#c") == "https://example.org/a?b#c");
  const auto from_docs = links_of_page("docs/decisions/README.md");
  CHECK(from_docs("../model.md") == "/docs/model.md");
  CHECK(from_docs("../../labs/01-race/lesson.md") == "/lab/01-race");
}

TEST_CASE("a link to anything else is plain text") {
  const auto link = links_of_page("docs/labs.md");
  for (const char* target : {"../labs/01-race/solution.cu",
                             "../labs/01-race/lab.json",
                             "../labs/01-race/instructor.md",
                             "lab.schema.json",
                             "../CONTRIBUTING.md",
                             "../grader/README.md",
                             "../../outside/docs/a.md",
                             "../../../etc/passwd",
                             "javascript:alert(1)",
                             "http://example.org",
                             "mailto:a@b.org",
                             "//example.org/x",
                             "/etc/passwd",
                             "data:text/html,x",
                             "docs",
                             "",
                             "..",
                             "a b.md",
                             "../labs/01-race/attempts/x.md",
                             "%2e%2e/a.md",
                             "a\".md"})
    CHECK_MESSAGE(link(target) == std::nullopt, target);
  CHECK(body_of("see [the *file*](../labs/01-race/solution.cu).", linked("docs/labs.md")) ==
        "<p>see the <em>file</em>.</p>\n");
  const auto some =
      links_of_page("docs/a.md", [](const std::string& path) { return path == "docs/b.md"; });
  CHECK(some("b.md") == "/docs/b.md");
  CHECK(some("c.md") == std::nullopt);
}

TEST_CASE("an address of another kind never becomes a link, whatever the caller's rule returns") {
  for (const char* address : {"javascript:alert(1)", "//example.org", "http://a", "x", ""}) {
    const LinkOf all = [&](std::string_view) { return std::string{address}; };
    CHECK(body_of("[a](b)", {.link = all}) == "<p>a</p>\n");
  }
  const LinkOf quotes = [](std::string_view) { return "/a\"onclick=\"x"; };
  CHECK(body_of("[a](b)", {.link = quotes}) ==
        "<p><a href=\"/a&quot;onclick=&quot;x\">a</a></p>\n");
}

TEST_CASE("a link to another site sends no opener") {
  CHECK(body_of("[a](https://example.org)", linked("docs/a.md")) ==
        "<p><a href=\"https://example.org\" rel=\"noopener\">a</a></p>\n");
  CHECK(body_of("<https://example.org> https://example.org", linked("docs/a.md")) ==
        "<p><a href=\"https://example.org\" rel=\"noopener\">https://example.org</a> "
        "https://example.org</p>\n");
}

TEST_CASE("every page of the kit renders without markup of its own, and its anchors agree") {
  for (const std::string& page : pages_of_kit()) {
    CAPTURE(page);
    const std::string text = read(fs::path{HISTOLAB_SOURCE_DIR} / page);
    const RenderedMarkdown rendered = render_markdown(text, linked(page));
    const std::string markup = rendered.body.markup();
    static const std::regex forbidden(
        "<(script|style|img|iframe|form)|<[^>]* (style|on\\w+|align)=");
    CHECK_FALSE(std::regex_search(markup, forbidden));
    CHECK_FALSE(std::regex_search(markup, std::regex{"(^|[^>])&lt;!--"}));  // but as code
    CHECK_FALSE(rendered.title.empty());
    if (has(text, "\n#### ")) continue;  // blocks_of() has no headings of level 4
    std::vector<std::string> anchors;
    for (const Section& each : rendered.sections) anchors.push_back(each.anchor);
    namespace lessons = histolab::grader::lessons;
    std::vector<std::string> expected = lessons::anchors_of(lessons::blocks_of(text));
    expected.erase(expected.begin());  // the title
    CHECK(anchors == expected);
  }
}

TEST_CASE("every link between pages of the kit leads to a page and a heading that exist") {
  const fs::path kit{HISTOLAB_SOURCE_DIR};
  const auto exists = [&](const std::string& path) { return fs::exists(kit / path); };
  std::set<std::string> addresses;
  std::vector<std::string> links;
  for (const std::string& page : pages_of_kit()) {
    const bool is_lesson = page.ends_with("/lesson.md"), is_hints = page.ends_with("/hints.md");
    const std::string lab = page.substr(0, page.rfind('/'));
    const std::string address = page == "docs/glossary.md" ? "/glossary"
                                : is_lesson || is_hints    ? "/lab" + lab.substr(4)
                                                           : "/" + page;
    const RenderedMarkdown rendered =
        render_markdown(read(kit / page),
                        {.link = links_of_page(page, exists),
                         .taken_ids = is_lesson ? ids_of_lab_page() : std::vector<std::string>{}});
    addresses.insert(address);
    if (is_lesson) addresses.insert(address + "#hints");
    for (const Section& each : rendered.sections) addresses.insert(address + "#" + each.anchor);
    static const std::regex href("href=\"([^\"]+)\"");
    const std::string& markup = rendered.body.markup();
    for (std::sregex_iterator at(markup.begin(), markup.end(), href), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.starts_with("#")) links.push_back(address + target);
      if (target.starts_with("/")) links.push_back(target);
    }
  }
  CHECK(links.size() > 300);
  for (const std::string& each : links) CHECK_MESSAGE(addresses.contains(each), each);
}
