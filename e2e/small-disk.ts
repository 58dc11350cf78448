import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'

/** Reason, as text, why a test with {@link runOnSmallDisk} must be skipped (not root); false when it can run. */
export const noSmallDisk = process.getuid?.() !== 0 && 'only root can mount a small disk'

/**
 * Program to copy to a small disk and run there with `args`. `spareBytes` is the space in bytes that the disk has left; `isReadOnly` makes
 * the disk read-only.
 */
type SmallDisk = { readonly program: string; readonly args: readonly string[]; readonly spareBytes: number; readonly isReadOnly?: boolean }

/**
 * Mounts a small disk below `folder`, visible only to the child process that runs a program on it. Resolves with exit status, outputs, and
 * the names of the files that are on the disk afterwards.
 */
export async function runOnSmallDisk(folder: string, { program, args, spareBytes, isReadOnly = false }: SmallDisk) {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const line = `mount -t tmpfs -o size=${statSync(program).size + spareBytes} tmpfs "$0" && cp "$1" "$0" || exit 77
if ${isReadOnly}; then mount -o remount,ro "$0"; fi
program=$0/$2; disk=$0; shift 2
"$program" "$@"; status=$?
ls "$disk" >&3
exit $status`
  const child = spawn('unshare', ['--mount', 'sh', '-c', line, disk, program, basename(program), ...args], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, out, err, listing] = child.stdio
  if (!(out && err && listing && 'read' in listing)) throw new Error('the pipes of the program are missing')
  const [said, errors, files] = await Promise.all([text(out), text(err), text(listing), once(child, 'close')])
  return { status: child.exitCode, said, errors, files: files.trim().split('\n') }
}
