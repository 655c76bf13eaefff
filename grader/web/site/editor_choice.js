// Names the editor of this page: codemirror6, codemirror5 or textarea. The build writes this file
// again if it has found one of the first two.
export const choice = 'textarea';
