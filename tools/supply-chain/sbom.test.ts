import assert from 'node:assert/strict'
import { test } from 'node:test'
import { billOfMaterials, bundledPackages, linkedCrates } from './sbom.ts'

const integrity = `sha512-${Buffer.alloc(64, 7).toString('base64')}`
const packages = {
  'node_modules/ws': { version: '8.0.0', integrity },
  'node_modules/a/node_modules/ws': { version: '7.0.0', integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` },
  'node_modules/@scope/x': { version: '1.0.0', integrity },
}
const notices = '# Licenses\n\n## ws - 8.0.0 (MIT)\n\ntext\n## @scope/x - 1.0.0\n\n## ws - 8.0.0 (MIT)\n'

test('bundledPackages lists each package of the notices once, with the checksum of its version', () => {
  const sha512 = '07'.repeat(64)
  assert.deepEqual(bundledPackages(notices, packages), [
    { kind: 'npm', name: 'ws', version: '8.0.0', license: 'MIT', sha512 },
    { kind: 'npm', name: '@scope/x', version: '1.0.0', sha512 },
  ])
})

test('bundledPackages refuses a package that is missing in the lock file', () => {
  assert.throws(() => bundledPackages('## other - 1.0.0 (MIT)\n', packages), /the lock file has no other 1\.0\.0/)
})

test('linkedCrates lists crates with the checksums of Cargo.lock, and libraries without a checksum', () => {
  const lock =
    '[[package]]\nname = "ring"\nversion = "0.17.14"\nsource = "registry+https://example"\nchecksum = "abc123"\n\n[[package]]\nname = "rquickjs-sys"\nversion = "0.14.0"\nsource = "registry+https://example"\nchecksum = "def456"\n'
  const of = (name: string, license: string) => ({ name, license, source: '', texts: [] })
  assert.deepEqual(
    linkedCrates([of('ring 0.17.14', 'Apache-2.0 AND ISC'), of('musl', 'MIT'), of('rquickjs-sys 0.14.0', 'see the text')], lock),
    [
      { kind: 'cargo', name: 'ring', version: '0.17.14', license: 'Apache-2.0 AND ISC', sha256: 'abc123' },
      { kind: 'generic', name: 'musl', license: 'MIT' },
      { kind: 'cargo', name: 'rquickjs-sys', version: '0.14.0', sha256: 'def456' },
      { kind: 'generic', name: 'quickjs' },
    ],
  )
})

test('billOfMaterials writes CycloneDX in a stable order, and names packages by their package URL', () => {
  const components = bundledPackages(notices, packages)
  const text = billOfMaterials('vedette-hub', components)
  assert.equal(text, billOfMaterials('vedette-hub', components.toReversed()))
  const bom = JSON.parse(text) as { bomFormat: string; specVersion: string; components: { purl: string; hashes: unknown }[] } // as it is made
  assert.deepEqual([bom.bomFormat, bom.specVersion], ['CycloneDX', '1.6'])
  assert.deepEqual(
    bom.components.map(({ purl }) => purl),
    ['pkg:npm/%40scope/x@1.0.0', 'pkg:npm/ws@8.0.0'],
  )
})
