// Requests to the server, and its answers line by line.

// A failure that the page can explain. `whose` is "machine", or "yours" if the student can fix it.
export class Failure extends Error {
  constructor(message, whose = 'machine') {
    super(message);
    this.whose = whose;
  }
}

async function failureOf(response) {
  const answer = await response.json().catch(() => ({}));
  return new Failure(answer.message ?? `the server answered with status ${response.status}`,
                     answer.whose);
}

// Like fetch(), but throws a Failure for every answer that is not a success. `json` is sent as the
// body of a POST.
export async function ask(url, {json, signal} = {}) {
  const options = {signal, headers: {}};
  if (json !== undefined) {
    options.method = 'POST';
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(json);
  }
  let response;
  try {
    response = await fetch(url, options);
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Failure('the server cannot be reached');
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

// The objects of an NDJSON answer, each as soon as its line has arrived. Throws a Failure if the
// connection breaks off or a line is not JSON; a line that has no end yet is not an object.
export async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const {value, done} = await reader.read();
      if (done) break;
      const parts = (rest + value).split('\n');
      rest = parts.pop();
      for (const part of parts) {
        if (part.trim()) yield JSON.parse(part);
      }
    }
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Failure(failure instanceof SyntaxError ?
                        'the server sent something that is not a line of JSON' :
                        'the connection to the server broke off');
  } finally {
    reader.cancel().catch(() => {});  // the caller may stop before the end
  }
  if (rest.trim()) throw new Failure('the connection to the server broke off');
}
