import { ownValue } from '@vedette/protocol/own-value'
/**
 * Parsed JSON value of unknown shape. `textAt`, `numberAt`, `memberAt` and `listAt` read its members and return `undefined` or an empty
 * list for the wrong type.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Parses a JSON text and returns its value; `undefined` when the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse returns exactly this type; TypeScript's library declares `any`.
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export function memberAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return follow(value, path)
}

export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = follow(value, path)
  return typeof found === 'number' ? found : undefined
}

export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = follow(value, path)
  return typeof found === 'string' ? found : undefined
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = follow(value, path)
  return isList(found) ? found : []
}

/**
 * Returns the member of a parsed JSON value at a path, given as a list of member names; `undefined` when it is missing. It uses no
 * iterators or further calls, because it runs dozens of times per container and sample.
 */
function follow(value: Json | undefined, path: readonly string[]): Json | undefined {
  let node = value
  for (let index = 0; index < path.length; index++) {
    const step = path[index]
    if (step === undefined || typeof node !== 'object' || node === null || isList(node)) return undefined
    node = ownValue(node, step)
  }
  return node
}

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
