import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Programs are built and a server is started: far above what it takes, since it decides about nothing else.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
