/**
 * Writes a PDF with a page for each text, in a font that it doesn't contain.
 *
 * @param font - `japanese` needs a table of characters, too
 */
export function pdfWith(texts: readonly string[], font: 'latin' | 'japanese' = 'latin'): string {
  const pages = texts.flatMap((text, index) => {
    const content = `BT /F1 24 Tf 60 700 Td ${written(text, font)} Tj ET 0.1 0.5 0.4 rg 60 500 200 120 re f`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${firstPage + 2 * index + 1} 0 R
        /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ];
  });
  const kids = texts.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    font === 'latin'
      ? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
      : '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [4 0 R] >>',
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /FontDescriptor 5 0 R
      /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>`,
    `<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0
      /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>`,
    ...pages,
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${
    objects.length + 1
  } /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

/** Number of the object of the first page. */
const firstPage = 6;

function written(text: string, font: 'latin' | 'japanese'): string {
  if (font === 'latin') return `(${text})`;
  const codes = Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(4, '0'));
  return `<${codes.join('')}>`;
}
