import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ownProgram, writeProgram } from './build-program.ts'
import { writeImages } from './images/release-images.ts'
import { root } from './rules/source-tree.ts'

if (import.meta.main) {
  await writeProgram({ node: process.execPath, output: ownProgram })
  const folder = join(root, 'release', 'images')
  mkdirSync(folder, { recursive: true })
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
  const images = writeImages(folder, { program: ownProgram, architecture, isFresh: false })
  for (const { path, compressedBytes } of images)
    console.log(`${relative(root, path)}  ${(compressedBytes / 1e6).toFixed(1)} MB. To use it: docker load --input ${relative(root, path)}`)
  if (images.length === 1) console.log('The image of the agent is not built: npm run build:agent:native')
}
