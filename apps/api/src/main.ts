import { configOrExit } from './lifecycle.ts';

const config = configOrExit(process.env);
if (config.ATELIER_PROCESSES > 1) {
  const { supervise } = await import('./supervise.ts');
  supervise(config);
} else {
  const { serve } = await import('./serve.ts');
  await serve(config);
}
