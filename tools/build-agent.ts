import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './rules/source-tree.ts'

/** ssh2's ChaCha20 in WebAssembly is of the time of CommonJS and asks for its folder. */
const banner = '#!/usr/bin/env node\nconst __filename = import.meta.filename, __dirname = import.meta.dirname;'

/** The agent as one file that needs nothing but Node. */
export const agentBundle = join(root, 'agent', 'dist', 'vedette-agent.mjs')

/** Parts of ssh2 that are compiled on the machine where it is installed; it goes on without them. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$/

export async function buildAgent(): Promise<{ readonly bytes: number }> {
  await build({
    configFile: false,
    root: join(root, 'agent'),
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: 'src/main.ts',
      outDir: 'dist',
      target: 'node24',
      minify: true,
      // Licence notices of what is bundled.
      license: { fileName: 'licenses.txt' },
      rolldownOptions: {
        external: (id) => optional.test(id),
        output: { entryFileNames: 'vedette-agent.mjs', codeSplitting: false, banner },
      },
    },
  })
  await chmod(agentBundle, 0o755)
  return { bytes: (await stat(agentBundle)).size }
}

if (import.meta.main) {
  const { bytes } = await buildAgent()
  console.log(`agent/dist/vedette-agent.mjs  ${(bytes / 1000).toFixed(1)} kB`)
}
