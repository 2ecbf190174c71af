// Replaces the API: reports that it is ready, prints its environment, and fails on demand.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import postgres from 'postgres';

const { PORT, HOST, DATABASE_URL = '', FAKE_API_MODE = '', FAKE_API_MARKER = '' } = process.env;

if (FAKE_API_MODE === 'fails') {
  console.log(JSON.stringify({ level: 60, msg: 'could not start', err: { message: 'no luck' } }));
  console.error('a plain last word');
  process.exit(3);
}

const server = createServer((request, response) => {
  if (request.url === '/health/ready') response.writeHead(200).end('{}');
  else if (request.url === '/environment') response.end(JSON.stringify(process.env));
  else if (request.url === '/crash') {
    console.log(JSON.stringify({ level: 50, msg: 'about to crash' }));
    process.exit(4);
  } else response.writeHead(404).end('{}');
});

process.on('SIGTERM', () => {
  if (FAKE_API_MODE === 'hangs') return;
  const sql = postgres(DATABASE_URL, { max: 1, fetch_types: false });
  void sql`SELECT 'database was there' AS text`
    .then(([row]) => writeFileSync(FAKE_API_MARKER, String(row?.['text'])))
    .finally(() => process.exit(0));
});

server.listen(Number(PORT), HOST, () => {
  console.log(JSON.stringify({ level: 30, msg: 'quiet information' }));
  console.log(JSON.stringify({ level: 40, msg: 'a warning to see' }));
});
