/** The lines of a text that hold the words searched for, in any case; all of them for no words. */
export function matchingLines(text: string, search: string): string {
  const part = search.trim().toLocaleLowerCase()
  if (part === '') return text
  return text
    .split('\n')
    .filter((line) => line.toLocaleLowerCase().includes(part))
    .join('\n')
}
