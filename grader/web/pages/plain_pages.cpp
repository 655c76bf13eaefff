// Pages of the kit, and errors.
#include "grader/web/pages/document.h"
#include "grader/web/pages/pages.html.h"

namespace histolab::web {
namespace {

using grader::Html;
using grader::html;
using grader::piece;

struct ErrorText {
  const char* title;
  const char* happened;
  const char* next;
};

ErrorText text_of(int status) {
  switch (status) {
    case 400:
      return {"The request is not valid", "The server does not understand this request.",
              "Go back, reload the page and try again."};
    case 403:
      return {
          "Not permitted", "The server refused this request.",
          "Each start of histolab serve makes a new link. Open the one in the terminal where it "
          "runs."};
    case 404:
      return {"Page not found", "There is no page at this address.",
              "Check the address, or choose a lab from the list."};
    case 405:
      return {"Request not supported", "This address does not accept such a request.",
              "Open the page from the list of labs."};
    case 409:
      return {"This file cannot be shown", "The file of this lab cannot be used in the page.",
              "Correct the file in your editor, then reload this page."};
    case 413:
      return {"Too large", "What you sent is larger than the server accepts.",
              "Make it smaller and send it again. A kernel may have at most 160 KiB."};
    case 429:
      return {"Too many requests", "The server got more requests from you than it accepts.",
              "Wait a minute and try again. Nothing was lost."};
    case 503:
      return {"Busy", "The server cannot answer now.",
              "Wait a minute and reload the page. Your saved files are safe."};
    default:
      return {"An error on this machine",
              "The server failed. This is not your mistake, and your saved files are safe.",
              "Reload the page. If it happens again, look at the terminal where histolab serve "
              "runs: it has the reason."};
  }
}

}  // namespace

Html document_page(const Frame& frame, const RenderedMarkdown& document_text) {
  const std::string& title = document_text.title.empty() ? frame.title : document_text.title;
  return document(
      frame, "document", title == "Glossary" ? "/glossary" : "", {{"main", "Skip to the text"}},
      html(piece(embedded::pages_html, "docpage"), title,
           contents(document_text.sections, "Contents of this page"), document_text.body));
}

Html error_page(const Frame& frame, const ErrorPage& page) {
  const ErrorText text = text_of(page.status);
  const Html detail = page.detail.empty() ? Html{} : html("<p>{}</p>\n", page.detail);
  return document(frame, "error", "", {{"main", "Skip to the message"}},
                  html(piece(embedded::pages_html, "error"), page.status, text.title, text.happened,
                       detail, text.next));
}

}  // namespace histolab::web
