import { expect, test } from 'vitest';
import { html, prose } from './html.ts';

const hostile = `<script>alert("1")</script> & 'x'`;
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;';

test('escapes values in a template, also from lists and in attributes', () => {
  expect(html`<p title="${hostile}">${[hostile]}</p>`.text).toBe(
    `<p title="${escaped}">${escaped}</p>`,
  );
});

test('keeps markup, and renders nothing for absent values', () => {
  expect(html`<p>${html`<b>${1}</b>`}${null}${undefined}${false}</p>`.text).toBe('<p><b>1</b></p>');
});

test('escapes markup in texts of the contract', () => {
  expect(html`${prose(`**a \`${hostile}\`**\n\n${hostile}`)}`.text).toBe(
    `<p><strong>a <code>${escaped}</code></strong></p><p>${escaped}</p>`,
  );
});
