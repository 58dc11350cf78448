import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Beside the installed packages, where nobody writes who could not change the program itself; never a folder open to all. */
const FOLDER = new URL('../../../node_modules/.cache/vedette-agent/', import.meta.url)

/**
 * Keeps compiled code from one start to the next: a later start neither loads the compiler of types nor compiles, which
 * costs more memory than everything the agent does. Where the folder cannot be written it goes on without.
 */
export function keepCompiledCode(): void {
  enableCompileCache(fileURLToPath(FOLDER))
}
