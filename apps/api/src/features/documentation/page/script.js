// The page can be read without this: it adds copying, search and trying, and folds the contents away on small screens.
for (const button of document.querySelectorAll('button.copy')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
}
const menu = document.querySelector('details.menu');
const isNarrow = matchMedia('(max-width: 56rem)');
if (isNarrow.matches) menu.open = false;
menu.addEventListener('click', (event) => {
  if (isNarrow.matches && event.target.closest('a')) menu.open = false;
});

/** The decoded fragment of the address; empty if it can't be decoded. */
function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/** Goes on to what an address of the first page meant when it had everything. */
function follow() {
  const name = fragment();
  const link = document.getElementById(name)?.closest('.index li')?.querySelector('a').href;
  if (link) location.replace(link);
  else if (location.pathname !== '/docs') return;
  else if (/^(schema|message)-/.test(name)) {
    const listed = menu.querySelector(`a[href$="#${CSS.escape(name)}"]`);
    if (listed) location.replace(listed.href);
  }
}
addEventListener('hashchange', follow);
follow();

const search = document.querySelector('search');
const field = search.querySelector('input');
const entries = [...menu.querySelectorAll('li')].map((item) => ({
  item,
  text: `${item.textContent} ${item.title} ${item.querySelector('a').hash}`.toLowerCase(),
}));
search.hidden = false;
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isSearching = words.length > 0;
  menu.classList.toggle('searching', isSearching);
  let found = 0;
  for (const { item, text } of entries) {
    item.hidden = !words.every((word) => text.includes(word));
    if (!item.hidden) found += 1;
  }
  for (const list of menu.querySelectorAll('ul')) {
    const isEmpty = isSearching && !list.querySelector('li:not([hidden])');
    list.hidden = isEmpty;
    list.previousElementSibling.hidden = isEmpty;
  }
  search.querySelector('.found').textContent = isSearching ? `${found} found` : '';
  if (isNarrow.matches) menu.open = isSearching;
});
field.addEventListener('keydown', (event) => {
  const first = menu.querySelector('.searching li:not([hidden]) a');
  if (event.key === 'Enter' && first) first.click();
});
addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || target.matches('input, textarea')) return;
  event.preventDefault();
  field.focus();
});

/** What the web app keeps on this host. */
function kept(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
/** Kept until the page is closed, for all its forms. */
let pasted = '';

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
const figure = (title, code) =>
  element(
    'figure',
    {},
    element('figcaption', { textContent: title }),
    element(
      'pre',
      { tabIndex: 0, role: 'group', ariaLabel: title },
      element('code', { textContent: code }),
    ),
  );

for (const button of document.querySelectorAll('button.try')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const open = button.nextElementSibling.matches('form') ? button.nextElementSibling : null;
    button.ariaExpanded = String(!open);
    if (open) open.remove();
    else {
      const form = formOf(JSON.parse(button.dataset.request));
      button.after(form);
      form.querySelector('input, textarea, button').focus();
    }
  });
}

function formOf(request) {
  const input = (name, properties) =>
    element('input', { name, autocomplete: 'off', spellcheck: false, ...properties });
  const labelled = (text, control) =>
    element('label', {}, element('span', { textContent: text }), control);
  const form = element('form', { className: 'trying', ariaLabel: `Try it: ${request.id}` });
  for (const { name, in: place, isRequired, value } of request.fields) {
    const text = `${name} (${place}${isRequired ? ', required' : ''})`;
    form.append(labelled(text, input(`${place}.${name}`, { value, required: isRequired })));
  }
  if (request.body) {
    const value = JSON.stringify(request.body, null, 2);
    const rows = Math.min(16, value.split('\n').length);
    form.append(
      labelled('Body', element('textarea', { name: 'body', value, rows, spellcheck: false })),
    );
  }
  if (!request.isPublic) {
    const hint = kept('svc_token')
      ? 'Token (empty: your session of the app)'
      : 'Token (access token or API key)';
    const token = input('token', { type: 'password', value: pasted, required: !kept('svc_token') });
    const organization = input('organization', { value: kept('svc_organization_id') });
    form.append(
      labelled(hint, token),
      labelled('x-organization-id (empty: personal)', organization),
    );
  }
  const samples = element('div');
  const result = element('div', { role: 'status', className: 'result' });
  form.append(samples, element('button', { textContent: `Send ${request.method}` }), result);
  const show = () => {
    const written = writtenOf(request, new FormData(form));
    samples.replaceChildren(
      figure('This request with curl', curlOf(written)),
      figure('This request with @atelier/client', clientOf(request, written)),
    );
    return written;
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    pasted = new FormData(form).get('token') ?? pasted;
    if (request.asks && !(await isSure(request))) return;
    result.replaceChildren(...(await sent(show(), pasted)));
  });
  show();
  return form;
}

/** What the fields say, as a request. */
function writtenOf({ method, path, isPublic, takesKey, fields }, data) {
  const of = (place) =>
    Object.fromEntries(
      fields
        .filter((one) => one.in === place && data.get(`${place}.${one.name}`))
        .map(({ name }) => [name, data.get(`${place}.${name}`)]),
    );
  const [params, query] = [of('path'), of('query')];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const organizationId = data.get('organization') ?? '';
  const body = data.get('body');
  const headers = {
    ...(organizationId && { 'x-organization-id': organizationId }),
    ...(takesKey && { 'idempotency-key': randomKey() }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  const url = `${location.origin}${filled}${search && `?${search}`}`;
  return { url, method, headers, body, isPublic, params, query, organizationId };
}
function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

const inShell = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
function curlOf({ url, method, headers, body, isPublic }) {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${inShell(url)}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${inShell(body)}`]),
  ].join(' \\\n  ');
}
function clientOf({ id }, { params, query, body, organizationId }) {
  const parts = Object.entries({ params, query })
    .filter(([, value]) => Object.keys(value).length > 0)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (body !== null) parts.push(`body: ${body}`);
  const given = parts.length > 0 ? `{ ${parts.join(', ')} }` : '';
  const options = organizationId
    ? `${given ? ', ' : '{}, '}{ organizationId: '${organizationId}' }`
    : '';
  return `const response = await api.${id}(${given}${options});`;
}

/** Asks before what takes something away. */
function isSure({ id, method, path }) {
  const dialog = element(
    'dialog',
    { ariaLabel: 'Send this request?' },
    element('p', { textContent: `${id} takes something away, on this service and not in a copy.` }),
    element('p', {}, element('code', { textContent: `${method} ${path}` })),
    element(
      'form',
      { method: 'dialog' },
      element('button', { value: '', textContent: 'Cancel' }),
      element('button', { value: 'send', textContent: 'Send it' }),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'send');
    });
  });
}

/** Sends a request. Returns what to show of the response. */
async function sent({ url, method, headers, body, isPublic }, token) {
  const authorization = !isPublic && { authorization: `Bearer ${token || kept('svc_token')}` };
  const began = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...authorization },
      body,
      credentials: 'omit',
      cache: 'no-store',
    });
    const text = await response.text();
    const title = `Response ${response.status} after ${Math.round(performance.now() - began)} ms`;
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    const { code, shown } = read(text);
    return [
      ...(code ? [explained(code, response.status, token)] : []),
      figure(title, shown),
      figure('Its headers', lines.join('\n')),
    ];
  } catch {
    return [element('p', { textContent: 'There was no response. Is the service reachable?' })];
  }
}
function read(text) {
  try {
    const value = JSON.parse(text);
    return { code: value.code, shown: JSON.stringify(value, null, 2) };
  } catch {
    return { code: undefined, shown: text.slice(0, 100_000) };
  }
}
function explained(code, status, token) {
  const link = element(
    'a',
    { href: `/docs#error-${code}` },
    element('code', { textContent: code }),
  );
  const hint =
    status === 401 && !token ? ' Open the app to renew your session, or paste a token.' : '';
  return element('p', { className: 'explained' }, link, hint);
}
