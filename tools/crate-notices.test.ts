import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticesText } from './crate-notices.ts'

const text = (name: string): string => `Copyright ${name}. Permission is granted.`

test('noticesText lists every crate with its licence, and prints a shared text once with the names of its crates', () => {
  const notices = noticesText([
    { name: 'one 1.0.0', license: 'MIT', source: 'https://example.org/one', texts: [text('a')] },
    { name: 'two 2.0.0', license: 'MIT', source: 'https://example.org/two', texts: [text('a'), text('b')] },
    { name: 'three 3.0.0', license: 'MIT OR Apache-2.0', source: 'https://example.org/three', texts: [] },
  ])
  assert.match(notices, /^three 3\.0\.0: MIT OR Apache-2\.0, https:\/\/example\.org\/three$/m)
  assert.equal(notices.split(text('a')).length, 2)
  assert.match(notices, /^one 1\.0\.0, two 2\.0\.0\n\nCopyright a\./m)
  assert.match(notices, /^two 2\.0\.0\n\nCopyright b\./m)
})
