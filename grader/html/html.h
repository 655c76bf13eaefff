// Text in HTML. What a student wrote is hostile: nothing of it becomes markup, and nothing of it
// changes how the rest reads.
#pragma once

#include <string>
#include <string_view>

namespace histolab::grader {

// Fit for an element's content and for a quoted attribute. Bytes that are no UTF-8 and control
// characters other than newline and tab become U+FFFD; characters that turn the direction of
// writing round are shown by their number, as in [U+202E].
[[nodiscard]] std::string escaped_html(std::string_view text);
// The same, fit for an element's content alone: quotes and > stay as they are, which a page of many
// sources is a tenth smaller by.
[[nodiscard]] std::string escaped_content(std::string_view text);

// The same without the escapes: what may be shown by anything that takes the text as text.
// Characters that XML 1.0 forbids are gone, too.
[[nodiscard]] std::string shown_text(std::string_view text);

}  // namespace histolab::grader
