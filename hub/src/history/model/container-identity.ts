/**
 * Returns the part of a container's name that stays when the container is recreated. Examples: `web-1` for `3f2a…_web-1` (renamed by
 * Compose), `project-web-1` for `project_web_1` (Compose 1), `web.1` for `web.1.x7k…` (Swarm task).
 */
export function containerIdentity(name: string): string {
  const own = name.replace(/^[0-9a-f]{12}_(?=.)/, '').replace(/^(.+\.\d+)\.[a-z0-9]{25}$/, '$1')
  return /[-_]\d+$/.test(own) ? own.replaceAll('_', '-') : own
}
