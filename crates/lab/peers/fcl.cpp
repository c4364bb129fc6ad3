// FCL and libccd behind a handful of C functions, for crates/lab/src/narrow/peers/fcl.rs, which says what each is asked.
// Loops over places are on this side, so that no call across the border is timed.
#include <ccd/ccd.h>
#include <fcl/fcl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

enum Kind : std::int32_t { SPHERE = 0, CAPSULE = 1, BOX = 2, CYLINDER = 3, CONE = 4, ELLIPSOID = 5, CONVEX = 6 };

// A shape for both libraries. FCL's is in double precision, as its compiled part is; so is Debian's libccd.
struct Shape {
    std::shared_ptr<fcl::CollisionGeometryd> geometry;
    std::vector<ccd_vec3_t> points;  // of a convex hull
    ccd_vec3_t centre;
};

// A place, as libccd's support functions want it: applied in each call.
struct Placed {
    const Shape* shape;
    ccd_vec3_t translation;
    double matrix[9];
};

void rotation_of(const float* place, double* m) {
    const double x = place[3], y = place[4], z = place[5], w = place[6];
    m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z), m[4] = 1 - 2 * (x * x + z * z), m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y), m[7] = 2 * (y * z + w * x), m[8] = 1 - 2 * (x * x + y * y);
}

fcl::Transform3d transform(const float* place) {
    double m[9];
    rotation_of(place, m);
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
    result.translation() << place[0], place[1], place[2];
    return result;
}

Placed placed(const Shape* shape, const float* place) {
    Placed result;
    result.shape = shape;
    for (int k = 0; k < 3; ++k) result.translation.v[k] = place[k];
    rotation_of(place, result.matrix);
    return result;
}

// The farthest corner of a hull: libccd leaves this to its user.
void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto& it = *static_cast<const Placed*>(object);
    const double* m = it.matrix;
    const double* d = direction->v;
    const double local[3] = {m[0] * d[0] + m[3] * d[1] + m[6] * d[2], m[1] * d[0] + m[4] * d[1] + m[7] * d[2],
                             m[2] * d[0] + m[5] * d[1] + m[8] * d[2]};
    const ccd_vec3_t* best = &it.shape->points[0];
    double highest = -1e300;
    for (const auto& p : it.shape->points) {
        const double along = p.v[0] * local[0] + p.v[1] * local[1] + p.v[2] * local[2];
        if (along > highest) highest = along, best = &p;
    }
    const double* p = best->v;
    for (int k = 0; k < 3; ++k) {
        out->v[k] = it.translation.v[k] + m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2];
    }
}

void centre(const void* object, ccd_vec3_t* out) {
    const auto& it = *static_cast<const Placed*>(object);
    const double* m = it.matrix;
    const double* p = it.shape->centre.v;
    for (int k = 0; k < 3; ++k) {
        out->v[k] = it.translation.v[k] + m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2];
    }
}

const float IDENTITY[7] = {0, 0, 0, 0, 0, 0, 1};

}  // namespace

extern "C" {

// `corners`: three floats each; `faces`: number of corners, then their numbers, face after face.
void* carom_fcl_shape(std::int32_t kind, const float* sizes, const float* corners, std::size_t corner_count, const std::int32_t* faces,
                      std::size_t face_numbers, std::int32_t face_count) {
    auto shape = std::make_unique<Shape>();
    switch (kind) {
        case SPHERE: shape->geometry = std::make_shared<fcl::Sphered>(sizes[0]); break;
        case CAPSULE: shape->geometry = std::make_shared<fcl::Capsuled>(sizes[0], sizes[1]); break;
        case BOX: shape->geometry = std::make_shared<fcl::Boxd>(sizes[0], sizes[1], sizes[2]); break;
        case CYLINDER: shape->geometry = std::make_shared<fcl::Cylinderd>(sizes[0], sizes[1]); break;
        case CONE: shape->geometry = std::make_shared<fcl::Coned>(sizes[0], sizes[1]); break;
        case ELLIPSOID: shape->geometry = std::make_shared<fcl::Ellipsoidd>(sizes[0], sizes[1], sizes[2]); break;
        case CONVEX: {
            auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
            ccd_vec3_t sum = {{0, 0, 0}};
            for (std::size_t i = 0; i < corner_count; ++i) {
                const float* c = corners + 3 * i;
                vertices->emplace_back(c[0], c[1], c[2]);
                shape->points.push_back({{c[0], c[1], c[2]}});
                for (int k = 0; k < 3; ++k) sum.v[k] += c[k] / static_cast<double>(corner_count);
            }
            shape->centre = sum;
            auto polygons = std::make_shared<std::vector<int>>(faces, faces + face_numbers);
            shape->geometry = std::make_shared<fcl::Convexd>(vertices, face_count, polygons);
            break;
        }
        default: return nullptr;
    }
    shape->geometry->computeLocalAABB();
    return shape.release();
}

void carom_fcl_free(void* shape) { delete static_cast<Shape*>(shape); }

// Signed distances with closest points; `independent` chooses FCL's own GJK instead of libccd's.
void carom_fcl_distances(const void* a, const void* b, const float* places, std::size_t count, bool is_signed, bool independent, float* out) {
    const auto* ga = static_cast<const Shape*>(a)->geometry.get();
    const auto* gb = static_cast<const Shape*>(b)->geometry.get();
    fcl::DistanceRequestd request(true, is_signed);
    request.gjk_solver_type = independent ? fcl::GST_INDEP : fcl::GST_LIBCCD;
    const fcl::Transform3d here = fcl::Transform3d::Identity();
    for (std::size_t i = 0; i < count; ++i) {
        fcl::DistanceResultd result;
        fcl::distance(ga, here, gb, transform(places + 7 * i), request, result);
        out[i] = static_cast<float>(result.min_distance);
    }
}

// Deepest of up to `most` contacts, as minus the depth; +1 without contact.
void carom_fcl_contacts(const void* a, const void* b, const float* places, std::size_t count, std::size_t most, float* out) {
    const auto* ga = static_cast<const Shape*>(a)->geometry.get();
    const auto* gb = static_cast<const Shape*>(b)->geometry.get();
    fcl::CollisionRequestd request(most, true);
    const fcl::Transform3d here = fcl::Transform3d::Identity();
    for (std::size_t i = 0; i < count; ++i) {
        fcl::CollisionResultd result;
        fcl::collide(ga, here, gb, transform(places + 7 * i), request, result);
        double deepest = result.isCollision() ? 0.0 : -1.0;
        for (std::size_t k = 0; k < result.numContacts(); ++k) {
            deepest = std::max(deepest, result.getContact(k).penetration_depth);
        }
        out[i] = static_cast<float>(-deepest);
    }
}

// Hulls only. Question 0: GJK, do they touch (−1 or +1)? 1: the same by MPR. 2: minus the depth by GJK and EPA. 3: by MPR.
void carom_ccd_answers(const void* a, const void* b, const float* places, std::size_t count, std::int32_t question, float* out) {
    ccd_t settings;
    CCD_INIT(&settings);
    settings.support1 = support, settings.support2 = support;
    settings.center1 = centre, settings.center2 = centre;
    settings.max_iterations = 1000;
    const Placed first = placed(static_cast<const Shape*>(a), IDENTITY);
    for (std::size_t i = 0; i < count; ++i) {
        const Placed second = placed(static_cast<const Shape*>(b), places + 7 * i);
        ccd_real_t depth = 0;
        ccd_vec3_t direction, position;
        switch (question) {
            case 0: out[i] = ccdGJKIntersect(&first, &second, &settings) ? -1.0f : 1.0f; break;
            case 1: out[i] = ccdMPRIntersect(&first, &second, &settings) ? -1.0f : 1.0f; break;
            case 2: {
                const int missed = ccdGJKPenetration(&first, &second, &settings, &depth, &direction, &position);
                out[i] = missed == 0 ? static_cast<float>(-depth) : 1.0f;
                break;
            }
            default: {
                const int missed = ccdMPRPenetration(&first, &second, &settings, &depth, &direction, &position);
                out[i] = missed == 0 ? static_cast<float>(-depth) : 1.0f;
            }
        }
    }
}

}  // extern "C"
