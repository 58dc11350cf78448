import assert from 'node:assert/strict'
import { startProgram } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

const VITE = 'node_modules/vite/bin/vite.js'
const config = ['--config', 'web/development.config.ts'] as const

/**
 * Builds the development page that shows every interface component in every state, and starts a server for it. Resolves with the server,
 * whose URL is `address`.
 */
export async function startPartsPage(): Promise<AsyncDisposable & { readonly address: string }> {
  const build = startProgram(VITE, { args: ['build', ...config, '--logLevel', 'error'] })
  assert.equal(await build.ended(), 0, build.errors())
  const port = await freePort()
  const server = startProgram(VITE, { args: ['preview', ...config, '--host', '127.0.0.1', '--port', String(port), '--strictPort'] })
  await server.line(/127\.0\.0\.1/)
  return {
    address: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await server.stop()
    },
  }
}
