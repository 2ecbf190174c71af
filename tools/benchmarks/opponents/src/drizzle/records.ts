import { databaseUrl, isTuned } from '../environment.ts';
import type { Records } from '../records.ts';
import { recordsByGuide } from './guide.ts';
import { tunedRecords } from './tuned.ts';

export const records: Records = isTuned ? tunedRecords(databaseUrl) : recordsByGuide(databaseUrl);
