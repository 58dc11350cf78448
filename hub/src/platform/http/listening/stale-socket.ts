import { once } from 'node:events'
import { lstatSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { errorCode } from '../../error-code.ts'

/**
 * Removes a Unix socket file on which no program listens, as a killed hub leaves it. In all other cases it resolves to false and removes
 * nothing, such as when a program listens there or the file is no socket.
 */
export async function removeStaleSocket(path: string): Promise<boolean> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return false
  if (!(await isRefused(path))) return false
  rmSync(path)
  return true
}

/**
 * Resolves to true when a connection to the Unix socket at `path` is refused, because no program listens. Resolves to false when it
 * succeeds or fails otherwise, such as for a missing file.
 */
async function isRefused(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return false
  } catch (error) {
    return errorCode(error) === 'ECONNREFUSED'
  } finally {
    socket.destroy()
  }
}
