import { spawnSync } from 'node:child_process'

/**
 * Loads a container image archive into the container engine at an address such as `unix:///run/docker.sock`. Throws if the engine refuses
 * it.
 */
export function loadImage(address: string, archive: Buffer): void {
  const env = { PATH: process.env['PATH'], DOCKER_HOST: address, HOME: '/nonexistent' }
  const { status, stderr } = spawnSync('docker', ['load', '--quiet'], { env, input: archive, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot load the image: ${stderr}`)
}
