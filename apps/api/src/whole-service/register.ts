import { registerService } from '../testing/service.ts';

// Loaded at the first use: most test files of small parts start no service.
registerService(async (parts) => (await import('./assemble.ts')).assemble(parts));
