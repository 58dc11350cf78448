import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VEDETTE_VERSION } from '../../protocol/src/wire/version.ts'
import { programNotices } from '../build-program.ts'
import { nativeAgent, nativeFolder } from '../native-agent.ts'
import { agentImage, hubImage } from './hub-image.ts'

const dockerNames = { x64: 'amd64', arm64: 'arm64' } as const

/** Container image archive that was written to a folder: path of the file, and the sum of its gzip layers in bytes. */
type WrittenImage = { readonly path: string; readonly compressedBytes: number }

/**
 * Writes the container images of hub and agent for an architecture into a folder, and returns their files. `program` is the path of the
 * hub's single executable. The agent's image is left out if the native agent was not built. With `isFresh`, the newest Debian packages are
 * downloaded; throws when apt-get fails to.
 */
export function writeImages(
  folder: string,
  { program, architecture, isFresh }: { readonly program: string; readonly architecture: 'x64' | 'arm64'; readonly isFresh: boolean },
): readonly WrittenImage[] {
  const name = dockerNames[architecture]
  const write = (kind: 'hub' | 'agent', { tar, compressedBytes }: ReturnType<typeof hubImage>): WrittenImage => {
    const path = join(folder, `vedette-${kind}-${VEDETTE_VERSION}-${name}.tar`)
    writeFileSync(path, tar)
    return { path, compressedBytes }
  }
  const hub = write('hub', hubImage({ program, notices: programNotices(), architecture: name, isFresh }))
  const agent = nativeAgent(architecture)
  if (!existsSync(agent)) return [hub]
  const notices = readFileSync(join(nativeFolder, 'licenses.txt'), 'utf8')
  return [hub, write('agent', agentImage({ program: agent, notices, architecture: name }))]
}
