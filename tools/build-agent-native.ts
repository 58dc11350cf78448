import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildScript, cargo, crate } from './cargo.ts'
import { ingredientsOf, noticesText } from './crate-notices.ts'
import { nativeAgent, nativeFolder } from './native-agent.ts'
import { missingRequirement, targets, type Target } from './native-targets.ts'
import { noteBuilt, type Profile } from './note-built.ts'
import { seconds } from './run.ts'
import { billOfMaterials, linkedCrates } from './supply-chain/sbom.ts'

async function buildTarget(target: Target, profile: Profile): Promise<void> {
  const built = nativeAgent(target.arch)
  await copyFile(await cargo(target, profile, [], 'vedette-agent.js'), built)
  const ingredients = ingredientsOf(crate, target.triple)
  await writeFile(join(nativeFolder, 'licenses.txt'), noticesText(ingredients))
  const components = linkedCrates(ingredients, await readFile(join(crate, 'Cargo.lock'), 'utf8'))
  await writeFile(`${built}.cdx.json`, billOfMaterials('vedette-agent-native', components))
  noteBuilt(built, profile)
  console.log(`agent/native/dist/vedette-agent-linux-${target.arch}  ${((await stat(built)).size / 1e6).toFixed(2)} MB`)
}

if (import.meta.main) {
  // Optimising takes minutes. `--quick` builds an unoptimised agent for tests, only for this machine.
  const profile = process.argv.includes('--quick') ? 'dev' : 'release'
  const startedAtMs = Date.now()
  await mkdir(nativeFolder, { recursive: true })
  await buildScript(['--mode', 'native'])
  for (const target of targets) {
    const isOwn = target.arch === process.arch
    if (profile === 'dev' && !isOwn) continue
    const reason = missingRequirement(target)
    if (reason === undefined) await buildTarget(target, profile)
    else console.log(`The native agent for ${target.arch} is not built: ${reason}`)
    if (reason !== undefined && isOwn) process.exitCode = 1
  }
  const own = targets.find(({ arch }) => arch === process.arch)
  if (own !== undefined && process.exitCode === undefined) {
    await buildScript(['--mode', 'test-driver'])
    await copyFile(await cargo(own, 'dev', ['--features', 'test-driver'], 'test-driver.js'), join(nativeFolder, 'test-driver'))
  }
  console.log(`Took ${seconds(startedAtMs)}`)
}
