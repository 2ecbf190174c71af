export { type MockOptions } from './mock.ts';
export { sampleAccount } from './samples.ts';
export { startMock, type Mock, type MockServerOptions } from './server.ts';
