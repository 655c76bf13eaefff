// Elements made from scripts. Text only reaches the page as text nodes and attributes, never as
// markup, so a student's source or a compiler's message cannot add elements.

export const byId = (id) => document.getElementById(id);

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((each) => each !== null && each !== undefined));
  return element;
}

// element('button', {type: 'button', onclick: f}, 'Save'): a property that begins with `on` is a
// listener, every other one an attribute. False, null and undefined leave it out.
export const element = (name, properties = {}, ...children) =>
  fill(document.createElement(name), properties, children);

export const svg = (name, properties = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), properties, children);

export const button = (label, onclick, properties = {}) =>
  element('button', {type: 'button', onclick, ...properties}, label);

// "09:20:05", in the reader's time zone.
export const clock = (date) =>
  [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0')).join(':');

const numbers = new Intl.NumberFormat('en');
export const number = (value) => numbers.format(value);
export const plural = (count, one, many = one + 's') =>
  number(count) + ' ' + (count === 1 ? one : many);
