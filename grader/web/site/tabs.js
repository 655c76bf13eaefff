// Other tabs of this browser that show the same lab. Each page says hello when it opens and
// goodbye when it closes, and answers the hello of another one.

// Calls changed(count) with the number of other tabs.
export function watchTabs(lab, changed) {
  const channel = new BroadcastChannel('histolab/tabs/' + lab);
  const me = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const others = new Set();
  channel.addEventListener('message', ({data}) => {
    if (data.says === 'hello') channel.postMessage({says: 'here', from: me});
    if (data.says === 'goodbye') others.delete(data.from);
    else others.add(data.from);
    changed(others.size);
  });
  channel.postMessage({says: 'hello', from: me});
  addEventListener('pagehide', () => channel.postMessage({says: 'goodbye', from: me}));
  addEventListener('pageshow', (event) => {
    if (event.persisted) channel.postMessage({says: 'hello', from: me});
  });
}
