/** The fields of one CSV record (RFC 4180); a quote in quotes is doubled. Throws a SyntaxError for an open quote. */
export function csvFields(record: string): readonly string[] {
  if (!record.includes('"')) return record.split(',');
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (record[at] === '"') {
      let value = '';
      at += 1;
      for (;;) {
        const quote = record.indexOf('"', at);
        if (quote === -1) throw new SyntaxError('a quote is never closed');
        value += record.slice(at, quote);
        at = quote + 1;
        if (record[at] !== '"') break;
        value += '"';
        at += 1;
      }
      fields.push(value);
      if (at < record.length && record[at] !== ',') throw new SyntaxError('text follows a closing quote');
    } else {
      const comma = record.indexOf(',', at);
      fields.push(record.slice(at, comma === -1 ? record.length : comma));
      at = comma === -1 ? record.length : comma;
    }
    if (at >= record.length) return fields;
    at += 1;
    if (at === record.length) return [...fields, ''];
  }
}
