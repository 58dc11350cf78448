/** A parsed JSON text; read with the functions below, which never assume a shape. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** `undefined` when the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse answers exactly this type; only the library does not say so.
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export function memberAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let node = value
  for (const step of path) {
    if (typeof node !== 'object' || node === null || isList(node) || !Object.hasOwn(node, step)) return undefined
    node = node[step]
  }
  return node
}

export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = memberAt(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = memberAt(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = memberAt(value, ...path)
  return isList(found) ? found : []
}

export function membersAt(value: Json | undefined, ...path: readonly string[]): readonly (readonly [string, Json])[] {
  const found = memberAt(value, ...path)
  return typeof found === 'object' && found !== null && !isList(found) ? Object.entries(found) : []
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
