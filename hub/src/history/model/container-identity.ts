/**
 * The part of a container's name that stays when the container is recreated. Compose renames the old one to `3f2a…_web-1` for a moment;
 * Compose 1 writes `project_web_1`, Compose 2 `project-web-1`. Swarm appends the task id: `web.1.x7k…`.
 */
export function containerIdentity(name: string): string {
  const own = name.replace(/^[0-9a-f]{12}_(?=.)/, '').replace(/^(.+\.\d+)\.[a-z0-9]{25}$/, '$1')
  return /[-_]\d+$/.test(own) ? own.replaceAll('_', '-') : own
}
