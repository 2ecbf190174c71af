import type { Mail } from '../ports/mailer.ts';

/** A link in small letters. */
export interface FootLink {
  readonly label: string;
  readonly link: string;
}

/** What a mail says, in plain text and from top to bottom. */
export interface MailContent {
  readonly to: string;
  readonly subject: string;
  /** A sentence without its full stop. */
  readonly headline?: string;
  readonly list?: readonly string[];
  readonly paragraph?: string;
  /** The link that the mail is about. */
  readonly action?: FootLink;
  readonly footnote?: string;
  /** Follows the footnote. */
  readonly ending?: FootLink | undefined;
}

/** Formats a mail as text and as HTML, which say the same; escapes its input. */
export function mailOf(content: MailContent): Mail {
  const { to, subject } = content;
  return { to, subject, text: textOf(content), html: htmlOf(content) };
}

function textOf({ headline, list, paragraph, action, footnote, ending }: MailContent): string {
  const parts = [
    headline && `${headline}.`,
    list?.map((item) => `- ${item}`).join('\n'),
    paragraph,
    action?.link,
    footnote,
    ending && `${ending.label}: ${ending.link}`,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** The colours of the web app by their names there: in light, in dark. */
export const colors = {
  canvas: ['#f7f6f3', '#141413'],
  surface: ['#ffffff', '#1b1b19'],
  line: ['#e3e0d9', '#31302d'],
  ink: ['#1d1c1a', '#eeece8'],
  'ink-muted': ['#5d5a53', '#aba69d'],
  accent: ['#0b6b5d', '#56cdb4'],
  'on-accent': ['#ffffff', '#06211c'],
} as const;

type Color = keyof typeof colors;

const properties = {
  text: 'color',
  on: 'background-color',
  edge: 'border-color',
} as const;

/**
 * Colours an element. In light by its own style, as some mail programs drop the page's; in dark by the page's, which
 * has to win against that.
 */
function colored(
  parts: { readonly [part in keyof typeof properties]?: Color },
  style = '',
): string {
  const entries = Object.entries(parts) as [keyof typeof properties, Color][];
  const own = entries.map(([part, color]) => `${properties[part]}:${colors[color][0]}`);
  const names = entries.map(([part, color]) => `${part}-${color}`);
  return `class="${names.join(' ')}" style="${[...own, style].filter(Boolean).join(';')}"`;
}

const darkRules = Object.entries(properties)
  .flatMap(([part, property]) =>
    Object.entries(colors).map(
      ([color, [, dark]]) => `.${part}-${color}{${property}:${dark}!important}`,
    ),
  )
  .join('');

const font = `font-family:'Inter Variable',Inter,ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif`;
const small = 'font-size:13px;line-height:20px';
const layout = 'role="presentation" border="0" cellpadding="0" cellspacing="0"';

/** Laid out with tables, which every mail program can; without pictures, which many don't load. */
function htmlOf(content: MailContent): string {
  const { subject, headline = '', list = [], paragraph = '', action, footnote = '' } = content;
  const preview = escapeHtml(headline || paragraph);
  const items = list.map((item) => `<li style="margin:0 0 6px">${escapeHtml(item)}</li>`);
  const inner = [
    headline &&
      `<h1 style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(headline)}</h1>`,
    list.length > 0 && `<ul style="margin:0 0 16px;padding:0 0 0 20px">${items.join('')}</ul>`,
    paragraph && `<p style="margin:0">${escapeHtml(paragraph)}</p>`,
    action && actionOf(action),
  ];
  const foot = footnote && footOf(footnote, content.ending);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
    <title>${escapeHtml(subject)}</title>
    <style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${darkRules}}</style>
  </head>
  <body ${colored({ on: 'canvas', text: 'ink' }, 'margin:0;padding:0')}>
    <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
    <div role="main"><table ${layout} width="100%" ${colored({ on: 'canvas' })}><tr><td align="center" style="padding:32px 16px">
      <table ${layout} width="100%" style="max-width:560px;text-align:left;${font};font-size:15px;line-height:24px">
        <tr><td style="padding:0 0 20px">${brand}</td></tr>
        <tr><td ${colored({ on: 'surface', text: 'ink', edge: 'line' }, 'padding:24px;border-width:1px;border-style:solid;border-radius:14px;overflow-wrap:anywhere')}>
          ${inner.filter(Boolean).join('\n          ')}
        </td></tr>
        <tr><td ${colored({ text: 'ink-muted' }, `padding:16px 4px 0;${small};overflow-wrap:anywhere`)}>${foot}</td></tr>
      </table>
    </td></tr></table></div>
  </body>
</html>
`;
}

/** The mark and the name of the app, in text. */
const brand = `<table ${layout}><tr>
          <td width="32" height="32" align="center" valign="middle" aria-hidden="true" ${colored({ on: 'accent', text: 'on-accent' }, 'border-radius:8px;font-size:18px;line-height:32px;font-weight:700')}>A</td>
          <td ${colored({ text: 'ink' }, 'padding-left:10px;font-size:18px;line-height:32px;font-weight:600;letter-spacing:-0.01em')}>Atelier</td>
        </tr></table>`;

/** A link that looks like a button, and its address, for programs that show no links. */
function actionOf({ label, link }: FootLink): string {
  const href = `href="${escapeHtml(link)}"`;
  return `<table ${layout} style="margin:20px 0"><tr><td ${colored({ on: 'accent' }, 'border-radius:7px')}>
            <a ${href} ${colored({ text: 'on-accent' }, 'display:inline-block;padding:10px 18px;border-radius:7px;font-weight:600;text-decoration:none')}>${escapeHtml(label)}</a>
          </td></tr></table>
          <p ${colored({ text: 'ink-muted' }, `margin:0;${small};word-break:break-all`)}><a ${href} ${colored({ text: 'ink-muted' })}>${escapeHtml(link)}</a></p>`;
}

function footOf(footnote: string, ending: FootLink | undefined): string {
  const link = ending
    ? ` <a href="${escapeHtml(ending.link)}" ${colored({ text: 'ink-muted' })}>${escapeHtml(ending.label)}</a>`
    : '';
  return `${escapeHtml(footnote)}${link}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
