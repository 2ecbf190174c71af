/** What is stored for times without a network: the databases with their only object stores. */
const stores = { 'atelier-unsent': 'changes', 'atelier-kept': 'responses' };

/** Removes unsent changes and kept responses from the browser. */
export function wipeStored(): void {
  for (const [database, name] of Object.entries(stores)) {
    try {
      clearStore(database, name);
    } catch {
      // Without storage, nothing was stored.
    }
  }
}

/** Deleting the database instead would wait until other tabs close it. */
function clearStore(database: string, name: string): void {
  const opening = indexedDB.open(database);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(name));
  opening.addEventListener('success', () => {
    const { result } = opening;
    result.transaction(name, 'readwrite').objectStore(name).clear();
    result.close();
  });
}
