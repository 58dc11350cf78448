import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What `JSON.parse` gave: it returns nothing but JSON, which its type does not say. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text)
  return value
}
