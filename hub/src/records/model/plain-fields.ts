/**
 * Whether a field is asked for whole, where a `fields` parameter asks for whole fields alone (or for nothing, which is all of them);
 * undefined where it asks for parts of them.
 */
export function plainFields(fields: string): ((name: string) => boolean) | undefined {
  const asked = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (!asked.every((name) => /^(\w+|\*)$/.test(name))) return undefined
  const everything = asked.length === 0 || asked.includes('*')
  return (name) => everything || asked.includes(name)
}
