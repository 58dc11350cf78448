/**
 * What stays of a container's name when it is made anew. Compose calls the old one `3f2a…_web-1` for a moment; its first
 * generation writes `project_web_1`, its second `project-web-1`; Swarm adds the id of the task, `web.1.x7k…`.
 */
export function containerIdentity(name: string): string {
  const own = name.replace(/^[0-9a-f]{12}_(?=.)/, '').replace(/^(.+\.\d+)\.[a-z0-9]{25}$/, '$1')
  return /[-_]\d+$/.test(own) ? own.replaceAll('_', '-') : own
}
