// Description of a Seen (reference/fields.h), for reports and the viewer.
#pragma once

#include "grader/words/seen.h"
#include "reference/fields.h"

namespace histolab::grader {

template <class F, Describes<Seen> Value>
void fields(F& f, Value& seen) {
  f.if_set("where", seen.where), f.if_set("what", seen.what), f.if_set("of_where", seen.of_where);
  f.if_set("aside", seen.aside), f.if_set("why", seen.why), f.if_set("next", seen.next);
  f.if_set("note", seen.note);
}

}  // namespace histolab::grader
