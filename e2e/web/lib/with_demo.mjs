// The environment of a test file: the demo, a browser, and the cookies of a signed-in user.
import { after, before } from 'node:test';
import { launch } from './browser.mjs';
import { demo } from './service.mjs';
import { signIn } from './visitor.mjs';

export function withDemo() {
  const world = {};
  before(async () => {
    world.service = await demo();
    world.browser = await launch();
    const visitor = await world.browser.context();
    await signIn(await visitor.page(), world.service);
    world.signedIn = await visitor.context.storageState();
    await visitor.close();
  });
  after(async () => {
    await world.browser?.close();
    await world.service?.stop();
  });
  return world;
}
