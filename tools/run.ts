import { spawn } from 'node:child_process'
import { root } from './rules/source-tree.ts'

export type RunOptions = { readonly cwd?: string; readonly environment?: Readonly<Record<string, string>> }

/**
 * Runs a program in the project's folder (or `cwd`) with its output on the terminal. Resolves with the exit status; 1 when a signal ended
 * it. Rejects when it cannot be started.
 */
export function run(program: string, args: readonly string[], { cwd = root, environment = {} }: RunOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...environment } })
    child.on('error', reject)
    child.on('exit', (status) => resolve(status ?? 1))
  })
}

export const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
