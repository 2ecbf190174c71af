export { startMock, type Mock, type MockOptions } from './server.ts';
