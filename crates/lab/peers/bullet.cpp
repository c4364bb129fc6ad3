// Bullet's broad phases behind a handful of C functions, for crates/lab/src/pairs/peers/bullet.rs, which says what each promises.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

enum Kind : std::int32_t { DEFERRED = 0, FORCED = 1, SWEEP = 2 };

// btAxisSweep3 has 16-bit handles, and one of them is its own.
const std::uint32_t SMALL_SWEEP = 16000;

// Two static boxes never pair: they are in a group that their own mask leaves out.
const int MOVING_GROUP = 1;
const int STATIC_GROUP = 2;

struct Space {
    std::unique_ptr<btBroadphaseInterface> broad;
    btDbvtBroadphase* trees = nullptr;  // the same object, if it is one of the trees
    bool forced = false;
    std::vector<btBroadphaseProxy*> proxies;
};

btVector3 corner(const float* c) { return btVector3(c[0], c[1], c[2]); }

std::uint32_t id_of(const btBroadphaseProxy* proxy) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(proxy->m_clientObject));
}

}  // namespace

extern "C" {

void* carom_bullet_new(std::int32_t kind, std::uint32_t capacity, const float* low, const float* high) {
    auto space = std::make_unique<Space>();
    if (kind == SWEEP) {
        // The last argument leaves out the tree that only rays need.
        if (capacity <= SMALL_SWEEP) {
            space->broad.reset(new btAxisSweep3(corner(low), corner(high), static_cast<unsigned short>(capacity + 8), nullptr, true));
        } else {
            space->broad.reset(new bt32BitAxisSweep3(corner(low), corner(high), capacity + 8, nullptr, true));
        }
    } else {
        space->trees = new btDbvtBroadphase();
        space->broad.reset(space->trees);
        space->trees->m_deferedcollide = kind == DEFERRED;
        space->forced = kind == FORCED;
    }
    space->proxies.resize(capacity, nullptr);
    return space.release();
}

void carom_bullet_free(void* handle) {
    auto* space = static_cast<Space*>(handle);
    for (auto* proxy : space->proxies) {
        if (proxy != nullptr) space->broad->destroyProxy(proxy, nullptr);
    }
    delete space;
}

void carom_bullet_insert(void* handle, std::uint32_t id, const float* low, const float* high, bool is_static) {
    auto* space = static_cast<Space*>(handle);
    const int group = is_static ? STATIC_GROUP : MOVING_GROUP;
    const int mask = is_static ? MOVING_GROUP : MOVING_GROUP | STATIC_GROUP;
    void* owner = reinterpret_cast<void*>(static_cast<std::uintptr_t>(id));
    space->proxies[id] = space->broad->createProxy(corner(low), corner(high), 0, owner, group, mask, nullptr);
}

void carom_bullet_remove(void* handle, std::uint32_t id) {
    auto* space = static_cast<Space*>(handle);
    space->broad->destroyProxy(space->proxies[id], nullptr);
    space->proxies[id] = nullptr;
}

void carom_bullet_move(void* handle, std::uint32_t id, const float* low, const float* high) {
    auto* space = static_cast<Space*>(handle);
    if (space->forced) {
        space->trees->setAabbForceUpdate(space->proxies[id], corner(low), corner(high), nullptr);
    } else {
        space->broad->setAabb(space->proxies[id], corner(low), corner(high), nullptr);
    }
}

void carom_bullet_update(void* handle) {
    static_cast<Space*>(handle)->broad->calculateOverlappingPairs(nullptr);
}

std::size_t carom_bullet_pair_count(void* handle) {
    auto* cache = static_cast<Space*>(handle)->broad->getOverlappingPairCache();
    return static_cast<std::size_t>(cache->getNumOverlappingPairs());
}

std::size_t carom_bullet_pairs(void* handle, std::uint32_t* out, std::size_t capacity) {
    auto& pairs = static_cast<Space*>(handle)->broad->getOverlappingPairCache()->getOverlappingPairArray();
    std::size_t count = 0;
    for (int i = 0; i < pairs.size() && count < capacity; ++i, ++count) {
        out[2 * count] = id_of(pairs[i].m_pProxy0);
        out[2 * count + 1] = id_of(pairs[i].m_pProxy1);
    }
    return count;
}

}  // extern "C"
